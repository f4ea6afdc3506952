/* Calls the kernel in another architecture's form, then plays on. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>

static long number_of_32_bit(long number) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number) : "memory");
    return result;
}

int main(int count, char **words) {
    static char line[1 << 16];
    while (fgets(line, sizeof line, stdin)) {
        long result = strcmp(words[count - 1], "x32") == 0 ? syscall(0x40000000 + SYS_getpid) : number_of_32_bit(20);
        fprintf(stderr, "DONE %ld\n", result);
        char *move = strstr(strstr(strstr(line, " | ") + 3, " | ") + 3, " | ") + 3;
        printf("%.*s\n", (int)strcspn(move, " \n"), move);
        fflush(stdout);
    }
}
