#pragma once

#include "c_api/handles.hpp"
#include "c_api/names.hpp"
#include "proxel/strings.hpp"

namespace proxel::c_api {

StringIndexOptions string_options_of(const proxel_string_options* given);

}  // namespace proxel::c_api
