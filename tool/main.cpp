#include <enablement/tool/verbs.h>

int main(int argc, char** argv) {
  return static_cast<int>(enablement::tool::run(argc, argv));
}
