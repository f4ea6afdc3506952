// A bot in the full form of the protocol (docs/protocol.md). Plays every game.
//
// Try it:  c++ -O2 -std=c++17 -o examples/bots/starter-cpp examples/bots/starter.cpp
//          papan match othello exec:examples/bots/starter-cpp random

#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

std::mt19937 generator{std::random_device{}()};

// Your idea goes here: give back one of the moves.
std::string choose(const std::string& position, const std::vector<std::string>& moves) {
    (void)position;
    return moves[std::uniform_int_distribution<size_t>(0, moves.size() - 1)(generator)];
}

int main() {
    std::string line, position;
    std::vector<std::string> moves;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "hello") {
            std::cout << "hello papan 1 games * name C++ starter" << std::endl;
        } else if (word == "position") {
            std::string game, side, ply;
            words >> game >> side >> ply;
            std::getline(words >> std::ws, position);
        } else if (word == "moves") {
            moves.clear();
            while (words >> word) moves.push_back(word);
        } else if (word == "go") {
            std::string number;
            words >> number;
            std::cout << "bestmove " << number << ' ' << choose(position, moves) << std::endl;
        } else if (word == "quit") {
            return 0;
        }
    }
}
