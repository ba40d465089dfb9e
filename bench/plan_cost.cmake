# What a plan costs beside gating its list: build/release/plan_cost
find_package(benchmark REQUIRED)

add_executable(plan_cost bench/plan_cost.cpp)
target_link_libraries(plan_cost PRIVATE
  enablement::enablement enablement_own_flags benchmark::benchmark)
