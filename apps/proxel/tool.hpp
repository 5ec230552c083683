#pragma once

#include "program.hpp"

// The commands of the tool, each in a namespace of its own: the namespace graph_command is that of
// commands/command_graph.cpp. Each adds one command with its options, help and action.
namespace proxel::tool {

namespace devices_command {
void add(CLI::App& app, Context& context);
}
namespace search_command {
void add(CLI::App& app, Context& context);
}
namespace graph_command {
void add(CLI::App& app, Context& context);
}
namespace range_command {
void add(CLI::App& app, Context& context);
}
namespace groundtruth_command {
void add(CLI::App& app, Context& context);
}
namespace compare_command {
void add(CLI::App& app, Context& context);
}
namespace words_command {
void add(CLI::App& app, Context& context);
}
namespace signatures_command {
void add(CLI::App& app, Context& context);
}
namespace documents_command {
void add(CLI::App& app, Context& context);
}
namespace photos_command {
void add(CLI::App& app, Context& context);
}
namespace accuracy_command {
void add(CLI::App& app, Context& context);
}
namespace conformance_command {
void add(CLI::App& app, Context& context);
}
namespace data_command {
void add(CLI::App& app, Context& context);
}

// Each adds its part of the command `signatures`.
namespace signature_search_command {
void add(CLI::App& signatures, Context& context);
}
namespace signature_evaluate_command {
void add(CLI::App& signatures, Context& context);
}

}  // namespace proxel::tool
