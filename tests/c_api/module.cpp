// All of the static library as one that can be loaded: CMake wants a source of its own.
