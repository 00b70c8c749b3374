import { hookMark } from './hook-command.ts'

/**
 * OpenCode calls plugins, not commands. The plugin passes each tool call to `cleo hook opencode tool.execute.before` in the
 * shape of Claude Code's hook input, and does what the answer says. If `cleo` is missing or fails, the call goes on.
 */
export const opencodePlugin = `// Written by \`cleo setup opencode\`; \`cleo setup opencode --undo\` removes it.
import { spawn } from "node:child_process"

const ask = (event, input) =>
  new Promise((resolve) => {
    const child = spawn("cleo", ["hook", "opencode", event], { cwd: input.cwd, stdio: ["pipe", "pipe", "ignore"] })
    let out = ""
    const end = () => {
      try {
        resolve(JSON.parse(out))
      } catch {
        resolve(undefined)
      }
    }
    // Without cleo, or when it hangs, its checks are off.
    const timer = setTimeout(() => child.kill(), 30_000)
    child.on("error", () => resolve(undefined))
    child.on("close", () => {
      clearTimeout(timer)
      end()
    })
    child.stdin.on("error", () => undefined)
    child.stdout.on("data", (chunk) => (out += chunk))
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...input }))
  })

// \`${hookMark} opencode\` answers as it answers Claude Code.
export const Cleo = async ({ directory }) => ({
  event: async ({ event }) => {
    if (event.type !== "session.created") return
    await ask("session.created", { session_id: event.properties?.info?.id, cwd: directory })
  },
  "tool.execute.before": async (input, output) => {
    const answer = await ask("tool.execute.before", {
      session_id: input.sessionID,
      tool_use_id: input.callID,
      tool_name: input.tool,
      tool_input: output.args,
      cwd: directory,
    })
    const said = answer?.hookSpecificOutput
    if (said?.permissionDecision === "deny") throw new Error(said.permissionDecisionReason ?? "Denied by CLEO.")
    if (said?.updatedInput) Object.assign(output.args, said.updatedInput)
  },
})
`
