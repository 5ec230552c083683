// Exhaustive search of NMSLIB's signature quadratic form distances on one thread, for
// peers_nmslib_sqfd.py: peers_nmslib_sqfd SIGNATURES QUERIES K ALPHA, the first of the file's signatures
// being the queries, the similarity gaussian.
// Prints the milliseconds that the searches took and the sum of all distances found.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "knnquery.h"
#include "knnqueue.h"
#include "logging.h"
#include "method/seqsearch.h"
#include "space/space_sqfd.h"

using namespace similarity;

namespace {

// Objects live as long as the program.
ObjectVector read(const Space<float>& space, const char* path) {
  const auto state = space.OpenReadFileHeader(path);
  ObjectVector objects;
  std::string text, external;
  LabelType label = -1;
  while (space.ReadNextObjStr(*state, text, label, external))
    objects.push_back(
        space.CreateObjFromStr(static_cast<IdType>(objects.size()), -1, text, state.get()).release());
  return objects;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 5) return 2;
  InitializeLogger(LIB_LOGNONE);
  SpaceSqfd<float> space(new SqfdGaussianFunction<float>(static_cast<float>(std::atof(arguments[4]))));
  const ObjectVector signatures = read(space, arguments[1]);
  const std::size_t queries = static_cast<std::size_t>(std::atoi(arguments[2]));
  const unsigned k = static_cast<unsigned>(std::atoi(arguments[3]));
  if (signatures.size() < queries || queries == 0 || k == 0) return 2;
  SeqSearch<float> index(space, signatures);
  AnyParams one_thread({"multiThread=0", "copyMem=1"});
  index.CreateIndex(one_thread);

  double sum = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < queries; ++i) {
    KNNQuery<float> query(space, signatures[i], k);
    index.Search(&query, -1);
    const std::unique_ptr<KNNQueue<float>> found(query.Result()->Clone());
    // A distance to itself may come out as the root of something below 0.
    for (; !found->Empty(); found->Pop())
      if (found->TopDistance() == found->TopDistance()) sum += found->TopDistance();
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  std::printf("%.6f %.9g\n", taken.count(), sum);
}
