/*
 * Runs one command and prints what it cost, measured from posix_spawn to wait4:
 * wall and CPU time in nanoseconds, peak memory in kilobytes, exit status.
 * The command inherits standard input. Its output goes through a pipe, as it does for an agent, and is shown only if
 * the command fails.
 *
 * After --first-screen the command gets a terminal instead. The wall time then ends with its first frame, which ends with
 * the code for synchronized output, and the key q ends the command.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

static const char end_of_frame[] = "\033[?2026l";

/* Runs the command at a terminal of 100 columns and 40 rows, and returns the wall time of its first frame. */
static long long first_screen(char **argv, pid_t *child, char *seen, size_t size, int *length) {
  struct winsize window = {.ws_row = 40, .ws_col = 100};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t apart;
  long long wall = 0;
  size_t filled = 0;
  int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) exit(125);
  ioctl(terminal, TIOCSWINSZ, &window);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, ptsname(terminal), O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawnattr_init(&apart);
  posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETSID);

  long long start = now();
  if (posix_spawnp(child, argv[0], &actions, &apart, argv, environ) != 0) exit(126);
  for (ssize_t n; filled < size && (n = read(terminal, seen + filled, size - filled)) > 0;) {
    filled += n;
    if (wall == 0 && memmem(seen, filled, end_of_frame, strlen(end_of_frame)) != NULL) {
      wall = now() - start;
      if (write(terminal, "q", 1) != 1) exit(125);
    }
  }
  *length = (int)filled;
  return wall;
}

int main(int argc, char **argv) {
  static char last[4096], buffer[65536];
  int ends[2], status, length = 0;
  pid_t child;
  struct rusage used;
  posix_spawn_file_actions_t actions;
  int on_terminal = argc > 2 && strcmp(argv[1], "--first-screen") == 0;
  long long wall = 0;
  if (argc < 2 || pipe2(ends, O_CLOEXEC) != 0) return 125;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);

  if (on_terminal) wall = first_screen(argv + 2, &child, buffer, sizeof buffer, &length);
  long long start = now();
  if (!on_terminal && posix_spawnp(&child, argv[1], &actions, NULL, argv + 1, environ) != 0) return 126;
  close(ends[1]);
  for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    memcpy(last, buffer, length = n < (ssize_t)sizeof last ? n : (ssize_t)sizeof last);
  wait4(child, &status, 0, &used);
  if (!on_terminal) wall = now() - start;

  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (code == 0 && wall == 0) code = 124; /* It ended without drawing anything. */
  if (code != 0) fwrite(on_terminal ? buffer : last, 1, length, stderr);
  printf("%lld %lld %ld %d\n", wall, ns(used.ru_utime) + ns(used.ru_stime), used.ru_maxrss, code);
  return 0;
}
