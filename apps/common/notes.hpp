#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace proxel::tool {

/// Says once on stderr what somebody should know of an input, and keeps it for JSON.
/// @param text  one line, beginning with the file: "rows.csv: …"
void note(const std::string& text);

/// Prints "proxel: note: …" to stderr (console.cpp).
void print_note(std::string_view message);

/// Adds what was noted, and what became of each input, to a document: "notes" and
/// "inputs", where there is any.
void add_notes(nlohmann::ordered_json& document);

/// What a program wants to know of an input that was not read as it stands.
void add_input(const nlohmann::ordered_json& input);

}  // namespace proxel::tool
