#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/feature_clusters.h"
PROXEL_FEATURE_CLUSTERS_CONSTANTS(PROXEL_SPECIALISED)
#include "address.glsl"
#include "workgroup.glsl"
#include "proxel/arithmetic/image_feature.h"

layout(push_constant, std430) uniform Push { FeatureClustersParameters p; };

const uint nowhere = 0xFFFFFFFFu;

// Coordinates, the last of `second` nothing. Loops over them are written out: llvmpipe ends a shader's loops after 65,535
// turns, all together.
struct Numbers {
  vec4 first;
  vec4 second;
};

// The sums of a cluster's coordinates, and the last its points.
struct Sums {
  uvec4 first;
  uvec4 second;
};
const uint sum_words = feature_coordinates + 1u;

shared uint sums[sum_words * CLUSTERS];
shared Numbers centroids[CLUSTERS];
shared uint first_near[2];
shared uint heaviest;
shared uint least_distance;
shared uint least_pair;
shared uint remaining;

uint lane;  // of this invocation

uint points_of(uint cluster) { return sums[sum_words * cluster + feature_coordinates]; }

Sums sums_of(uint cluster) {
  const uint at = sum_words * cluster;
  return Sums(uvec4(sums[at], sums[at + 1u], sums[at + 2u], sums[at + 3u]),
              uvec4(sums[at + 4u], sums[at + 5u], sums[at + 6u], sums[at + 7u]));
}

void put_sums(uint cluster, Sums those) {
  const uint at = sum_words * cluster;
  sums[at] = those.first.x;
  sums[at + 1u] = those.first.y;
  sums[at + 2u] = those.first.z;
  sums[at + 3u] = those.first.w;
  sums[at + 4u] = those.second.x;
  sums[at + 5u] = those.second.y;
  sums[at + 6u] = those.second.z;
  sums[at + 7u] = those.second.w;
}

// The means of at least one point.
Numbers mean_of_sums(Sums those) {
  const uint points = those.second.w;
  return Numbers(vec4(mean_of(those.first.x, points), mean_of(those.first.y, points), mean_of(those.first.z, points),
                      mean_of(those.first.w, points)),
                 vec4(mean_of(those.second.x, points), mean_of(those.second.y, points),
                      mean_of(those.second.z, points), 0.0));
}

void find_means(uint clusters) {
  for (uint cluster = lane; cluster < clusters; cluster += WORKGROUP_SIZE)
    if (points_of(cluster) != 0u) centroids[cluster] = mean_of_sums(sums_of(cluster));
}

float distance_between(Numbers one, Numbers other) {
  precise vec4 first = one.first - other.first;
  precise vec4 second = one.second - other.second;
  precise vec4 square = first * first;
  precise vec4 behind = second * second;
  precise float sum = (((((square.x + square.y) + square.z) + square.w) + behind.x) + behind.y) + behind.z;
  return sum;
}

void add_cluster(uint to, uint from) {
  const Sums one = sums_of(to);
  const Sums other = sums_of(from);
  const Sums both = Sums(one.first + other.first, one.second + other.second);
  put_sums(to, both);
  centroids[to] = mean_of_sums(both);
}

// Joins each cluster of at least so many points with the first near one before it; the others are dropped.
uint join_near(uint clusters, uint least) {
  uint kept = 0u;
  uint turn = 0u;
  if (lane < 2u) first_near[lane] = nowhere;
  barrier();
  for (uint cluster = 0u; cluster < clusters; ++cluster) {
    if (points_of(cluster) < least) continue;
    for (uint other = lane; other < kept; other += WORKGROUP_SIZE)
      if (distance_between(centroids[cluster], centroids[other]) < p.limit) {
        atomicMin(first_near[turn], other);
        break;
      }
    barrier();
    const uint near = first_near[turn];
    turn = 1u - turn;
    if (lane == 0u) {
      if (near != nowhere) {
        add_cluster(near, cluster);
      } else {
        put_sums(kept, sums_of(cluster));
        centroids[kept] = centroids[cluster];
      }
      first_near[turn] = nowhere;
    }
    if (near == nowhere) ++kept;
    barrier();
  }
  barrier();  // of clusters that are dropped everybody has seen it
  return kept;
}

uvec4 words_of(uint image, uint point) {
  return Uint4sIn(advance(advance_elements(p.features, image, p.points * feature_words), point, 4u * feature_words))
      .values[0];
}

Sums sums_of_point(uvec4 words) {
  return Sums(uvec4(words.x & 0xFFFFu, words.x >> 16, words.y & 0xFFFFu, words.y >> 16),
              uvec4(words.z & 0xFFFFu, words.z >> 16, words.w & 0xFFFFu, 1u));
}

Numbers mean_of_one(Sums point) {
  return Numbers(vec4(number_of(point.first.x), number_of(point.first.y), number_of(point.first.z),
                      number_of(point.first.w)),
                 vec4(number_of(point.second.x), number_of(point.second.y), number_of(point.second.z), 0.0));
}

struct Nearest {
  float distance;
  uint cluster;
};

Nearest nearer(Nearest nearest, Numbers numbers, uint cluster) {
  const float distance = distance_between(numbers, centroids[cluster]);
  return distance < nearest.distance ? Nearest(distance, cluster) : nearest;
}

// Among first … clusters - 1.
Nearest nearest_of(Numbers numbers, uint first, uint clusters) {
  Nearest nearest = Nearest(uintBitsToFloat(0x7F800000u), first);
  const uint last = clusters - 1u;
  for (uint cluster = first; cluster < clusters; cluster += 8u) {
    // The last one again is no nearer than it was.
    nearest = nearer(nearest, numbers, cluster);
    nearest = nearer(nearest, numbers, min(cluster + 1u, last));
    nearest = nearer(nearest, numbers, min(cluster + 2u, last));
    nearest = nearer(nearest, numbers, min(cluster + 3u, last));
    nearest = nearer(nearest, numbers, min(cluster + 4u, last));
    nearest = nearer(nearest, numbers, min(cluster + 5u, last));
    nearest = nearer(nearest, numbers, min(cluster + 6u, last));
    nearest = nearer(nearest, numbers, min(cluster + 7u, last));
  }
  return nearest;
}

void add_point(Sums point, uint cluster) {
  const uint at = sum_words * cluster;
  atomicAdd(sums[at], point.first.x);
  atomicAdd(sums[at + 1u], point.first.y);
  atomicAdd(sums[at + 2u], point.first.z);
  atomicAdd(sums[at + 3u], point.first.w);
  atomicAdd(sums[at + 4u], point.second.x);
  atomicAdd(sums[at + 5u], point.second.y);
  atomicAdd(sums[at + 6u], point.second.z);
  atomicAdd(sums[at + 7u], 1u);
}

// Gives each point to the nearest centroid, whose sums it adds to. Begins and ends with what others wrote visible.
void move_to_means(uint image, uint points, uint clusters) {
  for (uint cluster = lane; cluster < clusters; cluster += WORKGROUP_SIZE)
    put_sums(cluster, Sums(uvec4(0u), uvec4(0u)));
  if (lane == 0u) heaviest = 0u;
  barrier();
  for (uint point = lane; point < points; point += WORKGROUP_SIZE) {
    const Sums own = sums_of_point(words_of(image, point));
    add_point(own, nearest_of(mean_of_one(own), 0u, clusters).cluster);
  }
  barrier();
  find_means(clusters);
  for (uint cluster = lane; cluster < clusters; cluster += WORKGROUP_SIZE) atomicMax(heaviest, points_of(cluster));
  barrier();
}

void join_nearest_pair(uint clusters) {
  if (lane == 0u) {
    least_distance = nowhere;
    least_pair = nowhere;
  }
  barrier();
  uint distance = nowhere;
  uint pair = nowhere;
  for (uint one = lane; one + 1u < clusters; one += WORKGROUP_SIZE) {
    const Nearest nearest = nearest_of(centroids[one], one + 1u, clusters);
    // Distances are not negative: their bits are in their order.
    if (floatBitsToUint(nearest.distance) < distance) {
      distance = floatBitsToUint(nearest.distance);
      pair = one << 16 | nearest.cluster;
    }
  }
  atomicMin(least_distance, distance);
  barrier();
  if (distance == least_distance) atomicMin(least_pair, pair);
  barrier();
  const uint joined = least_pair & 0xFFFFu;
  if (lane == 0u) add_cluster(least_pair >> 16, joined);
  barrier();
  // Those behind it move up, as many at a time as there are invocations.
  for (uint first = joined; first + 1u < clusters; first += WORKGROUP_SIZE) {
    const uint cluster = min(first + lane, clusters - 2u);
    const Numbers mean = centroids[cluster + 1u];
    const Sums moved = sums_of(cluster + 1u);
    barrier();
    if (cluster == first + lane) {
      centroids[cluster] = mean;
      put_sums(cluster, moved);
    }
    barrier();
  }
}

// The heaviest first, of equal ones the first; those without points not at all.
void write(uint image, uint points, uint clusters) {
  if (lane == 0u) remaining = 0u;
  barrier();
  FloatsOut to = FloatsOut(advance_elements(p.centroids, image, p.most_centroids * feature_coordinates));
  FloatsOut weights = FloatsOut(advance_elements(p.weights, image, p.most_centroids));
  for (uint cluster = lane; cluster < clusters; cluster += WORKGROUP_SIZE) {
    const uint own = points_of(cluster);
    if (own == 0u) continue;
    atomicAdd(remaining, 1u);
    uint rank = 0u;
    for (uint other = 0u; other < clusters; ++other)
      if (points_of(other) > own || (points_of(other) == own && other < cluster)) ++rank;
    const Numbers mean = centroids[cluster];
    const uint at = rank * feature_coordinates;
    to.values[at] = mean.first.x * p.unit;
    to.values[at + 1u] = mean.first.y * p.unit;
    to.values[at + 2u] = mean.first.z * p.unit;
    to.values[at + 3u] = mean.first.w * p.unit;
    to.values[at + 4u] = mean.second.x * p.unit;
    to.values[at + 5u] = mean.second.y * p.unit;
    to.values[at + 6u] = mean.second.z * p.unit;
    weights.values[rank] = share_of(own, points);
  }
  barrier();
  for (uint place = remaining + lane; place < p.most_centroids; place += WORKGROUP_SIZE) {
    for (uint i = 0u; i < feature_coordinates; ++i) to.values[place * feature_coordinates + i] = 0.0;
    weights.values[place] = 0.0;
  }
  if (lane == 0u) UintsOut(advance(p.lengths, image, 4u)).values[0] = remaining;
}

void main() {
  lane = gl_LocalInvocationID.x;
  for (uint image = gl_WorkGroupID.x; image < p.image_count; image += gl_NumWorkGroups.x) {
    const uint points = UintsIn(advance(p.images, image, 4u * image_words)).values[image_points];
    uint clusters = min(points, CLUSTERS);
    barrier();  // the image before has been written
    for (uint seed = lane; seed < clusters; seed += WORKGROUP_SIZE) {
      const Sums own = sums_of_point(words_of(image, seed * points / clusters));
      put_sums(seed, own);
      centroids[seed] = mean_of_one(own);
    }
    barrier();
    clusters = join_near(clusters, 1u);
    for (uint iteration = 1u; iteration <= p.iterations; ++iteration) {
      move_to_means(image, points, clusters);
      clusters = join_near(clusters, max(1u, min(iteration * p.smallest_cluster, heaviest)));
    }
    for (; clusters > p.most_centroids; --clusters) join_nearest_pair(clusters);
    move_to_means(image, points, clusters);
    write(image, points, clusters);
  }
}
