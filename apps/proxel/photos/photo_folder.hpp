#pragma once

// What searches of a folder of photographs and their measuring have in common.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "outputs.hpp"
#include "photos/photo_options.hpp"
#include "progress_bar.hpp"

namespace proxel::tool {

/// The ways that this build has, the best one last; or the one that was asked for.
/// Throws Error(unsupported) where that is not built in.
std::vector<PhotoWay> ways_of(const PhotosOptions& options);
/// What those ways compare.
PhotoOptions wanted_for(const PhotosOptions& options, const std::vector<PhotoWay>& ways);

/// The files that will be written. Throws as Outputs::plan().
Outputs planned_outputs(const PhotosOptions& options);

/// Reads the folder's photographs, and what is kept of them. Warns of images that cannot be read; writes what is to be
/// kept where it has changed. Throws Error where no image can be read, and as read_photos() and read_kept_photos().
Photos read_folder(const PhotosOptions& options, const PhotoOptions& wanted, Device& device, Outputs& outputs,
                   ProgressBar& bar);

/// What a document says of the command, the folder and the device.
nlohmann::ordered_json document_of(const PhotosOptions& options, const Photos& photos, const DeviceInfo& device);
/// "12 photographs, on cpu, …; 1 could not be read"
std::string told(const Photos& photos, const DeviceInfo& device);
/// @return an ExitCode: whether all could be read
int code_of(const Photos& photos);

/// What the command does with --evaluate. @return an ExitCode
int evaluate_photos(const PhotosOptions& options, const Context& context);

}  // namespace proxel::tool
