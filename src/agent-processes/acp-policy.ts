import type {
  PermissionOption,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from '@agentclientprotocol/sdk'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { titleOf } from './acp-updates.ts'
import { isAllowedCommand } from './allowed-commands.ts'
import { type Fields, fieldsOf, listOf, textOf } from './stream-line.ts'

export interface AcpPolicy {
  /** The folder that the agent works in. The agent may change files here. */
  folder: string
  /** Folders that the agent may read besides `folder`. */
  readable: readonly string[]
  /** The agent may run commands that begin with one of these texts, see `isAllowedCommand`. */
  commands: readonly string[]
}

const harmless = new Set(['read', 'search', 'think'])
const changing = new Set(['edit', 'delete', 'move'])

/**
 * Answers an agent's request to use a tool. Reading is always allowed. Changing files is allowed only in the agent's
 * folder. Commands are allowed only if they begin with one of `commands`. The agent offers several answers, and CLEO
 * chooses one by its kind, because the names and ids of answers differ between agents.
 */
export const answerPermission = (
  policy: AcpPolicy,
  { toolCall, options }: Pick<RequestPermissionRequest, 'toolCall' | 'options'>,
): { outcome: RequestPermissionOutcome; denied?: string } => {
  const call = toolCall as unknown as Fields
  const allow = isAllowed(policy, call)
  // Prefer `allow_once`. After `allow_always`, the agent would no longer ask, even for files outside its folder.
  const kinds = allow ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always']
  const option = kinds
    .map((kind) => options.find((each: PermissionOption) => each.kind === kind))
    .find((each) => each !== undefined)
  return {
    outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' },
    ...(!(allow && option) && { denied: titleOf(call) }),
  }
}

const isAllowed = ({ folder, commands }: AcpPolicy, call: Fields): boolean => {
  const kind = textOf(call, 'kind') ?? 'other'
  if (harmless.has(kind)) return true
  if (kind === 'execute') {
    // Some agents give the command only in the title.
    const command = textOf(fieldsOf(call, 'rawInput'), 'command') ?? textOf(call, 'title')
    return command !== undefined && isAllowedCommand(command, commands)
  }
  if (!changing.has(kind)) return false
  const paths = [
    ...listOf(call, 'locations').flatMap((each) => textOf(each, 'path') ?? []),
    ...listOf(call, 'content').flatMap((each) => textOf(each, 'path') ?? []),
  ]
  return paths.length > 0 && paths.every((path) => isBelow(folder, resolvePath(folder, path)))
}
