import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Job, modelPort, type Report } from './closed-network.ts'
import { startModel } from './model/server.ts'

/**
 * Runs as the first process of the namespaces that the job got. Serves the model, records lookups of host names,
 * runs the program and writes a report.
 */
const main = async (folder: string): Promise<void> => {
  const job = JSON.parse(readFileSync(join(folder, 'job.json'), 'utf8')) as Job
  must('ip', 'link', 'set', 'lo', 'up')
  const lookups = await answerLookups(folder)
  const model = await startModel(job.scenario, modelPort)
  const before = refusedPackets()
  const ran = await runProgram(job)
  const report: Report = {
    ...ran,
    served: model.served,
    lookups: [...lookups],
    refusedPackets: refusedPackets() - before,
    left: running(),
  }
  writeFileSync(join(folder, 'report.json'), JSON.stringify(report))
  // When this first process ends, the kernel ends all others in the namespace.
  process.exit(0)
}

const must = (program: string, ...args: string[]): void => {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')}: ${stderr}`)
}

/**
 * Starts a name server that knows no name, so that every lookup fails at once. Returns the names that were looked up.
 */
const answerLookups = async (folder: string): Promise<Set<string>> => {
  const names = new Set<string>()
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, 'nameserver 127.0.0.1\n')
  must('mount', '--bind', file, '/etc/resolv.conf')
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    names.add(nameIn(query))
    // The answer is the question itself, marked as an answer with the code for "no such name".
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8183, 2)
    socket.send(answer, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(53, '127.0.0.1', resolve))
  return names
}

const nameIn = (query: Buffer): string => {
  const labels: string[] = []
  for (let at = 12; query[at]; at += query[at]! + 1)
    labels.push(query.subarray(at + 1, at + 1 + query[at]!).toString('latin1'))
  return labels.join('.')
}

/** Returns how many packets had no route, as the kernel counted them for IPv4 and IPv6. */
const refusedPackets = (): number => {
  const [names, values] = readFileSync('/proc/net/snmp', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('Ip:'))
    .map((line) => line.split(' '))
  const four = Number(values?.[names?.indexOf('OutNoRoutes') ?? -1] ?? 0)
  const six = Number(/^Ip6OutNoRoutes\s+(\d+)/m.exec(readFileSync('/proc/net/snmp6', 'utf8'))?.[1] ?? 0)
  return four + six
}

const runProgram = ({ command, cwd, env, input, limit }: Job) =>
  new Promise<Pick<Report, 'exit' | 'late' | 'stdout' | 'stderr' | 'ms'>>((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command[0]!, command.slice(1), { cwd, env, detached: true })
    let stdout = ''
    let stderr = ''
    let late = false
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const timer = setTimeout(() => {
      late = true
      process.kill(-child.pid!, 'SIGKILL')
      done(null)
    }, limit)
    const done = (exit: number | null) => {
      clearTimeout(timer)
      resolve({ exit, late, stdout, stderr, ms: Math.round(performance.now() - started) })
    }
    child.on('error', reject)
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    child.on('close', done)
    // A process that was left behind can hold the output open, and then `close` never comes.
    child.on('exit', (exit) => setTimeout(() => done(exit), 10_000))
  })

const running = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return line ? [line.slice(0, 200)] : []
      } catch {
        return []
      }
    })

await main(process.argv[2]!)
