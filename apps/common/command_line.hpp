#pragma once

// CLI11's names. Compiling its headers takes seconds for each source that reads them, so that only those do which add
// or look at options.
namespace CLI {
class App;
class Option;
}  // namespace CLI
