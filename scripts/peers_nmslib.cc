// Exhaustive search of NMSLIB's Levenshtein space on one thread, for peers_nmslib.py:
// peers_nmslib WORDS QUERIES K, files of a string per line.
// Prints the milliseconds that the searches took and the sum of all distances found.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "knnquery.h"
#include "knnqueue.h"
#include "logging.h"
#include "method/seqsearch.h"
#include "space/space_leven.h"

using namespace similarity;

namespace {

// Objects live as long as the program.
ObjectVector read(const Space<int>& space, const char* path) {
  std::ifstream file(path);
  ObjectVector objects;
  for (std::string line; std::getline(file, line);)
    objects.push_back(
        space.CreateObjFromStr(static_cast<IdType>(objects.size()), -1, line, nullptr).release());
  return objects;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  InitializeLogger(LIB_LOGNONE);
  SpaceLevenshtein space;
  const ObjectVector words = read(space, arguments[1]);
  const ObjectVector queries = read(space, arguments[2]);
  const unsigned k = static_cast<unsigned>(std::atoi(arguments[3]));
  if (words.empty() || queries.empty() || k == 0) return 2;
  SeqSearch<int> index(space, words);
  AnyParams one_thread({"multiThread=0", "copyMem=1"});
  index.CreateIndex(one_thread);

  long long sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const Object* word : queries) {
    KNNQuery<int> query(space, word, k);
    index.Search(&query, -1);
    const std::unique_ptr<KNNQueue<int>> found(query.Result()->Clone());
    for (; !found->Empty(); found->Pop()) sum += found->TopDistance();
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  std::printf("%.6f %lld\n", taken.count(), sum);
}
