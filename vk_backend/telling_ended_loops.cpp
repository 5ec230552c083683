#include <initializer_list>

#include "shaders.hpp"
#include "spirv.hpp"

namespace proxel::vulkan {
namespace {

using Words = std::vector<std::uint32_t>;
using spirv::Opcode;

// What a module has that the added function uses.
struct Found {
  std::uint32_t nothing = 0, boolean = 0, number = 0;  // types
  std::uint32_t main = 0, main_type = 0;
};

Found find(std::span<const std::uint32_t> code) {
  Found found;
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    if (opcode == spirv::entry_point) found.main = words[2];
    if (opcode == spirv::type_void) found.nothing = words[1];
    if (opcode == spirv::type_bool) found.boolean = words[1];
    if (opcode == spirv::type_int && words[2] == 32 && words[3] == 0) found.number = words[1];
    if (opcode == spirv::function && words[2] == found.main) found.main_type = words[4];
  });
  return found;
}

void add(Words& to, Opcode opcode, std::initializer_list<std::uint32_t> operands) {
  to.push_back(spirv::first_word(opcode, static_cast<std::uint32_t>(1 + operands.size())));
  to.insert(to.end(), operands);
}

// The instructions that are added, and the identifiers that they define.
class Telling {
 public:
  Telling(std::span<const std::uint32_t> code) : found_(find(code)), bound_(code[3]) {
    if (found_.boolean == 0) add(globals, spirv::type_bool, {found_.boolean = next()});
    if (found_.number == 0) add(globals, spirv::type_int, {found_.number = next(), 32, 0});
    declare();
    define();
  }

  std::uint32_t old_main() const { return found_.main; }
  std::uint32_t main() const { return main_; }
  std::uint32_t variable() const { return variable_; }
  std::uint32_t bound() const { return bound_; }
  Words decorations, globals, function;

 private:
  std::uint32_t next() { return bound_++; }

  // The buffer: how often the loop is to go round, and whether it did not.
  void declare() {
    constexpr std::uint32_t storage_buffer = 12;                             // a storage class (section 3.7)
    constexpr std::uint32_t block = 2, offset = 35, binding = 33, set = 34;  // decorations (section 3.20)
    const std::uint32_t structure = next(), to_structure = next();
    variable_ = next();
    to_number_ = next();
    zero_ = next();
    one_ = next();
    add(decorations, spirv::decorate, {structure, block});
    add(decorations, spirv::member_decorate, {structure, 0, offset, 0});
    add(decorations, spirv::member_decorate, {structure, 1, offset, 4});
    add(decorations, spirv::decorate, {variable_, set, ended_loops_set});
    add(decorations, spirv::decorate, {variable_, binding, 0});
    add(globals, spirv::type_struct, {structure, found_.number, found_.number});
    add(globals, spirv::type_pointer, {to_structure, storage_buffer, structure});
    add(globals, spirv::type_pointer, {to_number_, storage_buffer, found_.number});
    add(globals, spirv::variable, {to_structure, variable_, storage_buffer});
    add(globals, spirv::constant, {found_.number, zero_, 0});
    add(globals, spirv::constant, {found_.number, one_, 1});
  }

  // old_main(); uint i = 0; while (i < buffer.rounds) ++i; if (i != buffer.rounds) buffer.ended = 1;
  void define() {
    const std::uint32_t begin = next(), header = next(), check = next(), go_on = next(), behind = next(), tell = next(),
                        done = next(), called = next(), rounds_at = next(), rounds = next(), i = next(),
                        i_next = next(), goes_on = next(), differs = next(), ended_at = next();
    main_ = next();
    add(function, spirv::function, {found_.nothing, main_, 0, found_.main_type});
    add(function, spirv::label, {begin});
    add(function, spirv::function_call, {found_.nothing, called, found_.main});
    add(function, spirv::access_chain, {to_number_, rounds_at, variable_, zero_});
    add(function, spirv::load, {found_.number, rounds, rounds_at});
    add(function, spirv::branch, {header});
    add(function, spirv::label, {header});
    add(function, spirv::phi, {found_.number, i, zero_, begin, i_next, go_on});
    add(function, spirv::loop_merge, {behind, go_on, 0});
    add(function, spirv::branch, {check});
    add(function, spirv::label, {check});
    add(function, spirv::less_than, {found_.boolean, goes_on, i, rounds});
    add(function, spirv::branch_conditional, {goes_on, go_on, behind});
    add(function, spirv::label, {go_on});
    add(function, spirv::add, {found_.number, i_next, i, one_});
    add(function, spirv::branch, {header});
    add(function, spirv::label, {behind});
    add(function, spirv::not_equal, {found_.boolean, differs, i, rounds});
    add(function, spirv::selection_merge, {done, 0});
    add(function, spirv::branch_conditional, {differs, tell, done});
    add(function, spirv::label, {tell});
    add(function, spirv::access_chain, {to_number_, ended_at, variable_, one_});
    add(function, spirv::store, {ended_at, one_});
    add(function, spirv::branch, {done});
    add(function, spirv::label, {done});
    add(function, spirv::end, {});
    add(function, spirv::function_end, {});
  }

  Found found_;
  std::uint32_t bound_;
  std::uint32_t variable_ = 0, to_number_ = 0, zero_ = 0, one_ = 0, main_ = 0;
};

}  // namespace

std::vector<std::uint32_t> telling_ended_loops(std::span<const std::uint32_t> code) {
  const Telling telling(code);
  constexpr std::uint32_t interface_with_buffers = 0x00010400;  // version of SPIR-V
  Words kept(code.begin(), code.begin() + spirv::header_words);
  kept[3] = telling.bound();
  bool decorated = false, declared = false;
  spirv::for_each_instruction(code, [&](std::uint32_t opcode, std::span<const std::uint32_t> words) {
    const auto append = [&](const Words& added) { kept.insert(kept.end(), added.begin(), added.end()); };
    // Types begin with what has no operands of its own kind: decorations stand before them (section 2.4).
    if (!decorated && opcode >= spirv::type_void && opcode <= spirv::type_function) {
      append(telling.decorations);
      decorated = true;
    }
    if (!declared && opcode == spirv::function) {
      append(telling.globals);
      declared = true;
    }
    const std::size_t first = kept.size();
    kept.insert(kept.end(), words.begin(), words.end());
    if (opcode == spirv::entry_point) {
      kept[first + 2] = telling.main();
      if (code[1] >= interface_with_buffers) {
        kept.push_back(telling.variable());
        kept[first] += 1u << 16;
      }
    }
    const bool of_entry = opcode == spirv::execution_mode || opcode == spirv::execution_mode_id;
    if (of_entry && words[1] == telling.old_main()) kept[first + 1] = telling.main();
  });
  kept.insert(kept.end(), telling.function.begin(), telling.function.end());
  return kept;
}

}  // namespace proxel::vulkan
