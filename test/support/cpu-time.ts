/** Milliseconds of CPU time that `work` takes on this thread, however busy the machine is with other processes. */
export const cpuTime = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
