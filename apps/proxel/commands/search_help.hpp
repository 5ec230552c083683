#pragma once

namespace proxel::tool {

/// What `proxel search --help` shows first.
inline constexpr const char* search_examples = R"(Examples:
  proxel search --database base.npy --queries query.npy
      prints the 10 nearest rows (squared Euclidean) of the first queries
  proxel search --database base.fvecs --queries query.fvecs --metric l1 --k 1 --device vulkan --trace
      on the first Vulkan device, with the device time of every pass
  proxel search --database base.npy --queries query.npy --device cuda:0,cuda:1,cpu
      three devices have a part of the rows each, as fast as they are; --divide queries gives each all rows
  mpirun -n 4 proxel search --database base.fbin --queries query.fbin --device cuda:{local} --output found
      four processes, on one machine or several, each with its part of the file; the same answer
  proxel search --database sift.hdf5 --queries 'sift.hdf5#test' --k 100 --output found
      writes found.indices.npy [queries x 100] and found.distances.npy
  proxel search --database base.npy --queries query.npy --k 100 --table found.csv.gz
      one long table for a data frame or a database: query,rank,id,distance; '--table -' prints it
  proxel search --database rows.csv.gz --queries rows.csv.gz --query-rows 3 --method texel \
      --dimensions-per-pass 8 --scratch-limit 64MiB --json
      texel search as in Bustos 2006, with one JSON document as the answer
  proxel search --database base.npy --queries query.npy --save base.index
  proxel search --database base.index --queries more.npy --device vulkan
      the index in one checksummed file, searched again from there
  proxel search --database base.npy --queries query.npy --k 20 --json > page1.json
  proxel search --database base.npy --queries query.npy --k 20 --after page1.json --json > page2.json
      the 20 nearest rows, and the 20 that follow them, ties included
  proxel search --database base.npy --queries query.npy --filter allowed.csv
      rows whose number in allowed.csv is 0 are never found
  proxel search --database people.csv --queries new.csv --columns height,weight --ids name --scale standard
      two columns of a table, each scaled by the database's values; results show the names
  proxel search --database messung.csv --queries - --delimiter semicolon --decimal , --missing drop
      numbers as they are written in much of Europe; the queries come through a pipe
  proxel search --database arrays.npz#base --queries 'data.hdf5:/test/vectors' --exact-input
      an array of an archive, a data set of a group; what binary32 does not hold is refused
  proxel search --database documents.npy --queries query.npy --metric cosine --permutants 64 --recall 0.95
      compares only as many rows as find 95 % of the nearest, those that a permutation index
      puts first: quicker where comparing is dear ('proxel-bench permutation' tells))";

}  // namespace proxel::tool
