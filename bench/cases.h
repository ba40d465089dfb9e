// What is measured, a file for each kind.
#pragma once

#include <enablement/bench/data.h>
#include <enablement/bench/harness.h>
#include <enablement/bench/report.h>

namespace enablement::bench {

// Look-ups through the service, and every peer in turn. All answers are compared first.
void lookUpCases(Report& report, const Settings& settings, const DataSet& data);
// Readers while somebody writes, and two readers at once.
void concurrentCases(Report& report, const Settings& settings, const DataSet& data);
void gateCases(Report& report, const Settings& settings);

// Durable writes beside what a host would do instead.
void writeCases(Report& report, const Settings& settings);
// Opening and loading a store, and what it weighs in memory.
void startCases(Report& report, const Settings& settings);
// The verbs of enablectl as processes.
void toolCases(Report& report, const Settings& settings);

}  // namespace enablement::bench
