#include <enablement/bench/allocations.h>

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace enablement::bench {
namespace {

thread_local std::uint64_t count = 0;
std::atomic<bool> weighs = false;
std::atomic<std::int64_t> live = 0;

void* given(void* block) {
  if (!block) throw std::bad_alloc();
  ++count;
  if (weighs.load(std::memory_order_relaxed))
    live.fetch_add(static_cast<std::int64_t>(::malloc_usable_size(block)));
  return block;
}

void taken(void* block) {
  if (block && weighs.load(std::memory_order_relaxed))
    live.fetch_sub(static_cast<std::int64_t>(::malloc_usable_size(block)));
  std::free(block);
}

}  // namespace

std::uint64_t allocations() {
  return count;
}

LiveBytes::LiveBytes() {
  live = 0;
  weighs = true;
}

LiveBytes::~LiveBytes() {
  weighs = false;
}

std::int64_t LiveBytes::sinceStart() const {
  return live;
}

}  // namespace enablement::bench

// The array and nothrow forms come down to these.

void* operator new(std::size_t size) {
  return enablement::bench::given(std::malloc(size == 0 ? 1 : size));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return enablement::bench::given(std::aligned_alloc(step, (size + step - 1) / step * step));
}

void operator delete(void* block) noexcept {
  enablement::bench::taken(block);
}

void operator delete(void* block, std::size_t) noexcept {
  enablement::bench::taken(block);
}

void operator delete(void* block, std::align_val_t) noexcept {
  enablement::bench::taken(block);
}

void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
  enablement::bench::taken(block);
}
