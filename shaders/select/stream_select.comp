#version 460
#extension GL_GOOGLE_include_directive : require
#include "proxel/passes/stream_select.h"
PROXEL_STREAM_SELECT_CONSTANTS(PROXEL_SPECIALISED)
#include "workgroup.glsl"

#include "selection_rows.glsl"

// Vectors that each invocation reads before it uses the first.
const uint VECTORS = 4u;
const uint CHUNK = 4u * VECTORS;
uint chunk_keys[CHUNK];
uint chunk_vector;
uint chunk_begin;
const bool ASCENDING = true;
uint chunk_index(uint j) { return column_of(chunk_vector + j / 4u * WORKGROUP_SIZE, j % 4u); }
uint chosen_index(uint j) { return 4u * (chunk_vector + j / 4u * WORKGROUP_SIZE) + j % 4u - row_skip; }
#include "pool_select.glsl"

layout(push_constant, std430) uniform Push { StreamSelectParameters p; };

void read_chunk(uint first, out uvec4 read[VECTORS]) {
  const uint vector = first + gl_LocalInvocationID.x;
  Uint4sIn row = Uint4sIn(row_address);
  if (row_fills(first, VECTORS * WORKGROUP_SIZE)) {
    [[unroll]] for (uint i = 0u; i < VECTORS; ++i) read[i] = row.values[vector + i * WORKGROUP_SIZE];
  } else {
    [[unroll]] for (uint i = 0u; i < VECTORS; ++i) read[i] = read_vector(vector + i * WORKGROUP_SIZE);
  }
}

// Vectors from all of the row, two by two: as much as is read from memory at a time.
void read_sample() {
  const uint apart = row_vectors() / (VECTORS * WORKGROUP_SIZE / 2u);
  uvec4 read[VECTORS];
  [[unroll]] for (uint i = 0u; i < VECTORS; ++i) {
    const uint number = i * WORKGROUP_SIZE + gl_LocalInvocationID.x;
    read[i] = read_vector(number / 2u * apart + number % 2u);
  }
  [[unroll]] for (uint j = 0u; j < CHUNK; ++j) chunk_keys[j] = order_key(read[j / 4u][j % 4u]);
}

void offer_row() {
  const uint end = row_vectors();
  const uint step = VECTORS * WORKGROUP_SIZE;
  // What comes next is on its way while a chunk is looked at.
  uvec4 next[VECTORS];
  read_chunk(0u, next);
  for (uint first = 0u; first < end; first += step) {
    chunk_vector = first + gl_LocalInvocationID.x;
    chunk_begin = first == 0u ? 0u : 4u * first - row_skip;
    [[unroll]] for (uint j = 0u; j < CHUNK; ++j) chunk_keys[j] = order_key(next[j / 4u][j % 4u]);
    if (first + step < end) read_chunk(first + step, next);
    if (first == 0u && p.rows.columns > CAPACITY && !pool_guessed) pool_prime();
    pool_offer();
  }
}

void main() {
  const uint row = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (row >= p.rows.rows) return;
  open_row(p.rows, row);
  pool_begin(min(p.result.k, p.rows.columns));
  const uint rank = rank_of_sample(p.rows.columns);
  if (rank != 0u) {
    read_sample();
    pool_guess(rank);
  }
  [[dont_unroll]] for (;;) {
    offer_row();
    if (pool_complete()) break;
    pool_restart();
  }
  pool_write(p.result, p.rows, row);
}
