#pragma once

#include "program.hpp"

namespace proxel::tool {

/// Each adds one command with its options, help and action.
void add_devices(CLI::App& app, Context& context);
void add_search(CLI::App& app, Context& context);
void add_graph(CLI::App& app, Context& context);
void add_range(CLI::App& app, Context& context);
void add_groundtruth(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_words(CLI::App& app, Context& context);
void add_signatures(CLI::App& app, Context& context);
void add_documents(CLI::App& app, Context& context);
void add_photos(CLI::App& app, Context& context);
void add_accuracy(CLI::App& app, Context& context);
void add_conformance(CLI::App& app, Context& context);
void add_data(CLI::App& app, Context& context);

/// Each adds its part of the command `signatures`.
void add_signature_search(CLI::App& signatures, Context& context);
void add_signature_evaluate(CLI::App& signatures, Context& context);

}  // namespace proxel::tool
