/** Returns the milliseconds of CPU time that `work` takes on this thread. Other processes do not affect it. */
export const cpuTime = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
