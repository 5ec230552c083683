#pragma once

// CLI11's names. Compiling its headers takes seconds for each source that includes them, so only those do that add or
// look at options.
namespace CLI {
class App;
class Option;
}  // namespace CLI
