/*
 * Runs one command and prints what it cost, measured from posix_spawn to wait4:
 * wall and CPU time in nanoseconds, peak memory in kilobytes, exit status.
 * The command inherits standard input. Its output goes through a pipe, as it does for an agent, and is shown only if
 * the command fails.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long long ns(struct timeval t) { return t.tv_sec * 1000000000LL + t.tv_usec * 1000LL; }

int main(int argc, char **argv) {
  static char last[4096], buffer[65536];
  int ends[2], status, length = 0;
  pid_t child;
  struct rusage used;
  posix_spawn_file_actions_t actions;
  if (argc < 2 || pipe2(ends, O_CLOEXEC) != 0) return 125;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);

  long long start = now();
  if (posix_spawnp(&child, argv[1], &actions, NULL, argv + 1, environ) != 0) return 126;
  close(ends[1]);
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    memcpy(last, buffer, length = n < (ssize_t)sizeof last ? n : (ssize_t)sizeof last);
  wait4(child, &status, 0, &used);
  long long wall = now() - start;

  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code != 0) fwrite(last, 1, length, stderr);
  printf("%lld %lld %ld %d\n", wall, ns(used.ru_utime) + ns(used.ru_stime), used.ru_maxrss, code);
  return 0;
}
