/** Calls back for each Ctrl-C and each SIGTERM, instead of ending this process. */
export const onInterrupt = (heard: () => void): void => {
  process.on('SIGINT', heard)
  process.on('SIGTERM', heard)
}
