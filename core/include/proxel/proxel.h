/* The C API of proxel, exact similarity search on any GPU: opaque handles, sized structs, status codes.
   C99, and whatever calls C. docs/c-api.md shows how it is used; the first header below has the rules that
   all declarations share. */
#ifndef PROXEL_PROXEL_H
#define PROXEL_PROXEL_H

#include "proxel/c/answer.h"
#include "proxel/c/base.h"
#include "proxel/c/cuda.h"
#include "proxel/c/data.h"
#include "proxel/c/device.h"
#include "proxel/c/graph.h"
#include "proxel/c/index.h"
#include "proxel/c/interop.h"
#include "proxel/c/krulis.h"
#include "proxel/c/objects.h"
#include "proxel/c/papers.h"
#include "proxel/c/permutation.h"
#include "proxel/c/plan.h"
#include "proxel/c/sharded.h"
#include "proxel/c/signatures.h"
#include "proxel/c/strings.h"
#include "proxel/c/vulkan.h"

#endif
