"""The C++ program that loads a saved TorchScript program, runs it, and keeps what it gave."""

CPP = r"""// runner PROGRAM.pt INPUTS.pt OUTPUTS.pt: load, run, print and save what it gave.
#include <torch/script.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <unordered_map>
#include <vector>

static std::vector<char> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

static void print(const c10::IValue& value) {
  if (value.isTensor()) {
    const auto tensor = value.toTensor();
    std::cout << tensor.dtype() << " " << tensor.sizes() << " ";
    const auto flat = tensor.detach().flatten();
    for (int64_t i = 0; i < std::min<int64_t>(flat.numel(), 4); ++i) std::cout << flat[i].item() << " ";
    std::cout << "\n";
  } else if (value.isTuple()) {
    for (const auto& item : value.toTupleRef().elements()) print(item);
  } else {
    std::cout << value << "\n";
  }
}

int main(int count, char** arguments) {
  if (count != 4) return 2;
  try {
    torch::NoGradGuard no_grad;
    auto program = torch::jit::load(arguments[1]);
    const auto inputs = torch::jit::pickle_load(read(arguments[2])).toTuple();
    std::vector<c10::IValue> positional = inputs->elements()[0].toTupleRef().elements().vec();
    std::unordered_map<std::string, c10::IValue> named;
    if (inputs->elements()[1].isGenericDict())
      for (const auto& item : inputs->elements()[1].toGenericDict()) named[item.key().toStringRef()] = item.value();
    const auto result = program.get_method("forward")(positional, named);
    print(result);
    const auto bytes = torch::jit::pickle_save(result);
    std::ofstream(arguments[3], std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 3;
  }
  return 0;
}
"""
