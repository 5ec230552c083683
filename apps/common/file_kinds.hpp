#pragma once

#include <string>
#include <string_view>

namespace proxel::tool {

/// What the files are that the tool writes.
enum class FileKind {
  indices,            ///< of neighbours: integers, in the format that the name ends in
  distances,          ///< their distances: binary32 values, in such a format
  neighbors_json,     ///< both, as JSON
  graph,              ///< a sparse matrix, .npz
  table,              ///< the long table, .csv or .csv.gz
  exhibits,           ///< the rows of `proxel-bench papers`, .csv
  page,               ///< a report or a contact sheet, .html
  picture,            ///< a contact sheet, .png
  map,                ///< of a graph that was laid out, .svg
  signatures,         ///< a file of feature signatures
  kept_photos,        ///< what `photos --index` keeps
  permutation_index,  ///< what `words --save` writes
  vector_index,       ///< what `search --save` writes
  ground_truth,       ///< what `groundtruth` writes: .ibin, .ivecs, .npy or .hdf5
  checkpoint,         ///< what `groundtruth` keeps beside its output
  values,             ///< what `data convert` writes, which nobody can tell from other data
};

/// What the file that `photos --index` keeps begins with, its version too.
inline constexpr std::string_view kept_photos_heading = "\x89proxel photos 1\n";

/// What a checkpoint of `groundtruth` begins with, its version too.
inline constexpr std::string_view checkpoint_heading = "\x89proxel groundtruth checkpoint 1\n";

/// "a file of feature signatures that proxel wrote"
std::string description(FileKind kind);

/// Whether a file is of that kind, as proxel writes it, by its name and its first bytes.
/// A file that cannot be read is of none.
bool is_of_kind(const std::string& path, FileKind kind);

/// What files hold that are searched.
enum class SearchedObjects { vectors, words, signatures };
/// "vectors", "words", "signatures".
std::string_view to_string(SearchedObjects objects);

/// What a file holds, by its name and its first bytes: signatures where they begin so, or the name ends in .sig;
/// words where it ends in .txt or in nothing, plain or compressed, and no field of the second line is a number;
/// otherwise vectors, also where the file cannot be read or is a pipe.
SearchedObjects objects_in(const std::string& path);

}  // namespace proxel::tool
