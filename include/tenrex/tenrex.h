// Everything of the public interface.
#pragma once

#include <tenrex/bounded_tensor.h>
#include <tenrex/cell_type.h>
#include <tenrex/column_buffer.h>
#include <tenrex/columns.h>
#include <tenrex/compile_cache.h>
#include <tenrex/dialect.h>
#include <tenrex/distance_metric.h>
#include <tenrex/expression.h>
#include <tenrex/forest.h>
#include <tenrex/formats.h>
#include <tenrex/issue.h>
#include <tenrex/label.h>
#include <tenrex/language.h>
#include <tenrex/limits.h>
#include <tenrex/model_precision.h>
#include <tenrex/model_reader.h>
#include <tenrex/plan.h>
#include <tenrex/rank_profile.h>
#include <tenrex/ranking.h>
#include <tenrex/result.h>
#include <tenrex/schema.h>
#include <tenrex/tensor.h>
#include <tenrex/tensor_type.h>
#include <tenrex/version.h>
#include <tenrex/weight_store.h>
