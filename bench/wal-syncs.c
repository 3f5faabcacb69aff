/*
 * For bench/kill.ts, which loads it into the service with LD_PRELOAD: how much of a write-ahead log is on the disk.
 * KILL_WAL names the log, KILL_SYNCS a file of three numbers that outlives the process: how often the log began anew,
 * its length since then, and the length that was on the disk when the last sync since then had ended.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct log {
  _Atomic long begun, length, synced;
};
static struct log *state;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("KILL_SYNCS");
  int file = path ? open(path, O_RDWR | O_CREAT, 0600) : -1;
  if (file < 0 || ftruncate(file, sizeof(struct log)) != 0) return;
  void *memory = mmap(NULL, sizeof(struct log), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  state = memory == MAP_FAILED ? NULL : memory;
}

static int is_log(int file) {
  struct stat opened, named;
  const char *path = getenv("KILL_WAL");
  return state && path && fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino;
}

/* Its header is written when the log begins, and again when all of it was copied to the database. */
static void writing(long from) {
  if (from != 0) return;
  atomic_fetch_add(&state->begun, 1);
  atomic_store(&state->length, 0);
  atomic_store(&state->synced, 0);
}

static void grow(_Atomic long *number, long to) {
  long known = atomic_load(number);
  while (known < to && !atomic_compare_exchange_weak(number, &known, to)) continue;
}

ssize_t pwrite64(int file, const void *from, size_t bytes, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  if (!is_log(file)) return real(file, from, bytes, offset);
  writing(offset);
  ssize_t done = real(file, from, bytes, offset);
  if (done > 0) grow(&state->length, offset + done);
  return done;
}

ssize_t write(int file, const void *from, size_t bytes) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  if (!is_log(file)) return real(file, from, bytes);
  off64_t offset = lseek64(file, 0, SEEK_CUR);
  writing(offset);
  ssize_t done = real(file, from, bytes);
  if (done > 0) grow(&state->length, offset + done);
  return done;
}

static int synced(int file, int (*real)(int)) {
  if (!is_log(file)) return real(file);
  long begun = atomic_load(&state->begun), length = atomic_load(&state->length);
  int result = real(file);
  if (result == 0 && begun == atomic_load(&state->begun)) grow(&state->synced, length);
  return result;
}

int fdatasync(int file) {
  return synced(file, dlsym(RTLD_NEXT, "fdatasync"));
}

int fsync(int file) {
  return synced(file, dlsym(RTLD_NEXT, "fsync"));
}
