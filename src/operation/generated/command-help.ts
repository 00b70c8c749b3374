// Made by `npm run generate`. Do not edit.
import type { HelpTable } from '../command-table.ts'

export const helpTable: HelpTable = {
  "add": {
    "suggestedFor": [
      "create",
      "new",
      "insert",
      "make",
      "epic",
      "subtask"
    ],
    "examples": [
      "cleo add \"Customer accounts\" --type epic",
      "cleo add \"Sign-up form\" --parent T001 --depends T002 --files src/signup.ts --acceptance \"rejects a bad e-mail\"",
      "cleo add --batch < tasks.jsonl"
    ]
  },
  "add --edit": {
    "examples": [
      "cleo add --edit",
      "cleo add \"Sign-up form\" --edit --parent T001"
    ]
  },
  "add --from": {
    "examples": [
      "cleo add --from plan.md --dry-run",
      "cleo add --from - < plan.md"
    ],
    "sample": {
      "about": "In the outline, a heading is an epic, a list item a task and an item below it a subtask. An indented check box is an acceptance criterion; other lines are the description. A title can end with fields in parentheses: after, files, labels, priority, size, stage, type or completes.",
      "lines": [
        "# Online shop",
        "Customers can order tea.",
        "",
        "- Choose a payment provider",
        "  Which one, and why?",
        "- Checkout page (after: choose a payment provider; files: src/checkout.ts)",
        "  - [ ] rejects an expired card",
        "- Price list (size: small; priority: high)",
        "  One price on a line."
      ]
    }
  },
  "admin help": {
    "examples": [
      "cleo admin help",
      "cleo admin help --tier 2"
    ]
  },
  "agent list": {
    "examples": [
      "cleo agent list"
    ]
  },
  "agent show": {
    "examples": [
      "cleo agent show cleo-subagent"
    ]
  },
  "agent validate": {
    "examples": [
      "cleo agent validate",
      "cleo agent validate .claude/agents/reviewer.md"
    ]
  },
  "analyze": {
    "suggestedFor": [
      "graph",
      "plan",
      "waves",
      "estimate",
      "critical-path"
    ],
    "examples": [
      "cleo analyze T001",
      "cleo analyze T001 --graph mermaid"
    ]
  },
  "backup": {
    "examples": [
      "cleo backup",
      "cleo backup --out ../shop-friday.db"
    ]
  },
  "block": {
    "suggestedFor": [
      "hold",
      "suspend"
    ],
    "examples": [
      "cleo block T012 --reason \"waiting for access\"",
      "cleo block T012 T013 -m \"waiting for access\""
    ]
  },
  "board": {
    "suggestedFor": [
      "kanban",
      "overview"
    ],
    "examples": [
      "cleo board",
      "cleo board T001"
    ]
  },
  "cancel": {
    "suggestedFor": [
      "delete",
      "del",
      "remove",
      "abandon",
      "abort",
      "discard",
      "wontfix",
      "archive"
    ],
    "examples": [
      "cleo cancel T012 --reason \"covered by T009\"",
      "cleo rm T012 T013 -m \"covered by T009\""
    ]
  },
  "clients check": {
    "examples": [
      "cleo clients check",
      "cleo clients check codex",
      "cleo clients check claude --turn"
    ]
  },
  "clients list": {
    "examples": [
      "cleo clients list"
    ]
  },
  "complete": {
    "suggestedFor": [
      "close",
      "resolve",
      "check",
      "tick",
      "fix",
      "end"
    ],
    "examples": [
      "cleo complete T012",
      "cleo complete T012 T013",
      "cleo complete T012 --as T012.1"
    ]
  },
  "completion": {
    "examples": [
      "cleo completion bash",
      "cleo completion fish"
    ]
  },
  "completion values": {
    "examples": [
      "cleo completion values open T01"
    ]
  },
  "config get": {
    "examples": [
      "cleo config get commands.test",
      "cleo config get budget --json"
    ]
  },
  "config list": {
    "suggestedFor": [
      "settings",
      "preferences"
    ],
    "examples": [
      "cleo config",
      "cleo config list --json"
    ]
  },
  "config path": {
    "examples": [
      "cleo config path",
      "cleo config path --field project"
    ]
  },
  "config set": {
    "examples": [
      "cleo config set commands.test \"python -m unittest\"",
      "cleo config set output.roots docs,reports",
      "cleo config set people.allowClients claude --user"
    ]
  },
  "config unset": {
    "examples": [
      "cleo config unset commands.test",
      "cleo config unset budget --dry-run"
    ]
  },
  "consensus list": {
    "examples": [
      "cleo consensus list",
      "cleo consensus list --epic T001 --open"
    ]
  },
  "consensus open": {
    "examples": [
      "cleo consensus open T012 --question \"Which queue?\" --option \"one table\" --option \"a server\" --voters 3",
      "cleo consensus open T012 --question \"Which queue?\" --option \"one table\" --option \"a server\"",
      "cleo consensus open C1 --again"
    ]
  },
  "consensus tally": {
    "examples": [
      "cleo consensus tally C1",
      "cleo consensus tally T012 --votes"
    ]
  },
  "consensus vote": {
    "examples": [
      "cleo consensus vote C1 --option \"one table\" --accept --confidence 0.8 --rationale \"no new part\" --evidence \"T014, finding 2\" --as T015.1",
      "cleo consensus vote C1 --option \"a server\" --reject --confidence 0.7 --rationale \"must be kept running\" --evidence docs/ops.md --conflict \"no daemon:high\""
    ]
  },
  "context": {
    "examples": [
      "cleo context",
      "cleo context --session ses_4f0k2m9x1c7d"
    ]
  },
  "db move": {
    "examples": [
      "cleo db move --to postgres://cleo@db.example/team",
      "cleo db move --to sqlite"
    ]
  },
  "db status": {
    "examples": [
      "cleo db status"
    ]
  },
  "deps": {
    "suggestedFor": [
      "blockers",
      "why",
      "dependents"
    ],
    "examples": [
      "cleo deps T012"
    ]
  },
  "dispatch": {
    "examples": [
      "cleo dispatch T012"
    ]
  },
  "doctor": {
    "suggestedFor": [
      "health",
      "repair",
      "diagnose",
      "fsck"
    ],
    "examples": [
      "cleo doctor",
      "cleo doctor --fix",
      "cleo doctor --fix --dry-run"
    ]
  },
  "edit": {
    "suggestedFor": [
      "vi",
      "vim",
      "nano",
      "emacs"
    ],
    "examples": [
      "cleo edit T012",
      "cleo edit T012 --size small"
    ]
  },
  "exists": {
    "examples": [
      "cleo exists T012 && echo there"
    ]
  },
  "export": {
    "suggestedFor": [
      "dump"
    ],
    "examples": [
      "cleo export > shop.jsonl",
      "cleo export --out shop.jsonl"
    ]
  },
  "export --markdown": {
    "examples": [
      "cleo export --markdown > plan.md",
      "cleo export --markdown --epic T001 --out plan.md"
    ]
  },
  "find": {
    "suggestedFor": [
      "search",
      "grep",
      "query",
      "lookup",
      "where"
    ],
    "examples": [
      "cleo find password",
      "cleo find --exact T012"
    ]
  },
  "finish": {
    "suggestedFor": [
      "submit",
      "deliver",
      "return"
    ],
    "examples": [
      "cleo finish T012 --finding \"…\" --criterion 1=files:test/form.test.ts --as T012.1",
      "cleo finish T012 --status partial --open \"mails are not sent yet\" --as T012.1",
      "cleo finish T012 --status blocked --category \"missing context\" --why \"No schema.\" --as T012.1"
    ]
  },
  "focus clear": {
    "examples": [
      "cleo focus clear --as T012.1"
    ]
  },
  "focus note": {
    "examples": [
      "cleo focus note \"tests pass, docs to do\" --as T012.1"
    ]
  },
  "focus set": {
    "suggestedFor": [
      "begin",
      "claim",
      "take",
      "work",
      "assign",
      "pick",
      "grab",
      "do",
      "checkout"
    ],
    "examples": [
      "cleo focus set T012 --as T012.1"
    ]
  },
  "focus show": {
    "suggestedFor": [
      "whoami",
      "current"
    ],
    "examples": [
      "cleo focus show --as T012.1"
    ]
  },
  "import": {
    "examples": [
      "cleo import shop.jsonl",
      "cleo import .taskmaster/tasks/tasks.json --dry-run",
      "cleo import - < .beads/issues.jsonl"
    ]
  },
  "inbox": {
    "suggestedFor": [
      "questions",
      "ask",
      "mail"
    ],
    "examples": [
      "cleo inbox",
      "cleo inbox --limit 5"
    ]
  },
  "inbox answer": {
    "examples": [
      "cleo inbox answer T012 --text \"the key is in the team vault\"",
      "cleo inbox answer C1 --choose \"one table\" --reason \"we run no servers\"",
      "cleo inbox answer Q3 --yes"
    ]
  },
  "init": {
    "examples": [
      "cleo init",
      "cleo init --restore"
    ]
  },
  "land": {
    "suggestedFor": [
      "merge",
      "push",
      "ship",
      "pr"
    ],
    "examples": [
      "cleo land T001 --dry-run",
      "cleo land T001",
      "cleo land T001 --squash",
      "cleo land T001 --pr"
    ]
  },
  "lifecycle advance": {
    "examples": [
      "cleo lifecycle advance T001",
      "cleo lifecycle advance T001 --to implementation --reason \"two tests fail on empty input\""
    ]
  },
  "lifecycle show": {
    "examples": [
      "cleo lifecycle show T001"
    ]
  },
  "lifecycle skip": {
    "examples": [
      "cleo lifecycle skip T001 --reason \"there is only one way to do it\""
    ]
  },
  "lifecycle start": {
    "examples": [
      "cleo lifecycle start T001",
      "cleo lifecycle start T001 --at implementation"
    ]
  },
  "list": {
    "suggestedFor": [
      "todo",
      "todos",
      "issues",
      "backlog",
      "tickets",
      "ll",
      "dir"
    ],
    "examples": [
      "cleo list",
      "cleo list T001 --status blocked",
      "cleo list --status done,cancelled --sort updated",
      "cleo list --ready --label api",
      "cleo list --all --limit 0"
    ]
  },
  "log": {
    "suggestedFor": [
      "audit",
      "activity",
      "events"
    ],
    "examples": [
      "cleo log",
      "cleo log T012 --details",
      "cleo log --actor T012.1 --limit 100"
    ]
  },
  "manifest append": {
    "examples": [
      "cleo manifest append --status complete --finding \"argon2id is the choice.\" --as T012.1",
      "cleo manifest append --status complete --finding \"…\" --warning \"files: the bug was elsewhere\" --as T012.1",
      "cleo manifest append --status blocked --blocker \"missing context\" --text \"No schema.\" --as T012.1",
      "cleo manifest append - --as T012.1 < entry.json"
    ]
  },
  "manifest find": {
    "examples": [
      "cleo manifest find \"password hash\"",
      "cleo manifest find T012"
    ]
  },
  "manifest list": {
    "examples": [
      "cleo manifest list T001",
      "cleo manifest list --status partial"
    ]
  },
  "manifest quarantine": {
    "examples": [
      "cleo manifest quarantine",
      "cleo manifest quarantine --full"
    ]
  },
  "manifest show": {
    "examples": [
      "cleo manifest show T012",
      "cleo manifest show T012-password-hashing"
    ]
  },
  "manifest stats": {
    "examples": [
      "cleo manifest stats"
    ]
  },
  "manifest sync": {
    "examples": [
      "cleo manifest sync"
    ]
  },
  "manifest validate": {
    "examples": [
      "cleo manifest validate",
      "cleo manifest validate --task T012"
    ]
  },
  "memory find": {
    "suggestedFor": [
      "recall"
    ],
    "examples": [
      "cleo memory find \"mail server\"",
      "cleo memory find --task T012 --kind decision"
    ]
  },
  "memory observe": {
    "suggestedFor": [
      "remember",
      "learn"
    ],
    "examples": [
      "cleo memory observe \"the mail server answers 421 under load\" --task T012 --source logs/mail.txt --as T012.1",
      "cleo memory observe \"money is kept in cents\" --kind decision"
    ]
  },
  "memory show": {
    "examples": [
      "cleo memory show M12"
    ]
  },
  "mv": {
    "suggestedFor": [
      "parent",
      "reparent",
      "under",
      "nest"
    ],
    "examples": [
      "cleo mv T012 T009",
      "cleo mv T012 T013 T009",
      "cleo mv T012 -"
    ]
  },
  "next": {
    "examples": [
      "cleo next T001"
    ]
  },
  "note": {
    "suggestedFor": [
      "comment",
      "annotate",
      "remark",
      "reply"
    ],
    "examples": [
      "cleo note T012 \"the API answers 429 under load\""
    ]
  },
  "output check": {
    "examples": [
      "cleo output check T012",
      "cleo output check claudedocs/agent-outputs/T012-sign-up-form.md"
    ]
  },
  "output new": {
    "examples": [
      "cleo output new T012 --as T012.1",
      "cleo output new T012 --category research"
    ]
  },
  "prime": {
    "examples": [
      "cleo prime T001"
    ]
  },
  "ready": {
    "suggestedFor": [
      "queue",
      "available",
      "startable"
    ],
    "examples": [
      "cleo ready T001"
    ]
  },
  "receive": {
    "suggestedFor": [
      "accept",
      "approve",
      "review"
    ],
    "examples": [
      "cleo receive T012 --message \"Research complete. See MANIFEST.jsonl for summary.\"",
      "cleo receive T012",
      "cleo receive --all",
      "cleo receive --tasks T012,T013"
    ]
  },
  "reopen": {
    "suggestedFor": [
      "undone",
      "uncomplete",
      "uncancel"
    ],
    "examples": [
      "cleo reopen T012 --reason \"fails on empty input\""
    ]
  },
  "research link": {
    "examples": [
      "cleo research link T012 T012-password-hashing --as T012.1"
    ]
  },
  "research links": {
    "examples": [
      "cleo research links T012",
      "cleo research links T012-password-hashing"
    ]
  },
  "research unlink": {
    "examples": [
      "cleo research unlink T012 T012-password-hashing"
    ]
  },
  "respawn": {
    "suggestedFor": [
      "retry",
      "rerun",
      "restart"
    ],
    "examples": [
      "cleo respawn T012 --message \"need skill: ct-test-runner\" --ref",
      "cleo respawn T012 --continue --ref"
    ]
  },
  "restore": {
    "examples": [
      "cleo restore --list",
      "cleo restore cleo-2026-01-31T12-00-00Z.db"
    ]
  },
  "run": {
    "examples": [
      "cleo run T001 --agent claude --parallel 3",
      "cleo run T001 --agent command --command ./agent.sh",
      "cleo run T001 --dry-run",
      "cleo run --plan \"A page that lists all orders\" --agent claude"
    ]
  },
  "run list": {
    "examples": [
      "cleo run list"
    ]
  },
  "run logs": {
    "examples": [
      "cleo run logs T003",
      "cleo run logs T003.1 --lines 50"
    ]
  },
  "run resume": {
    "examples": [
      "cleo run resume R001",
      "cleo run resume R001 --max-tokens 2000000"
    ]
  },
  "run show": {
    "examples": [
      "cleo run show R001",
      "cleo run show R001 --markdown"
    ]
  },
  "run status": {
    "examples": [
      "cleo run status",
      "cleo run status R001"
    ]
  },
  "run stop": {
    "examples": [
      "cleo run stop R001",
      "cleo run stop R001 --now",
      "cleo run stop R001 --task T003"
    ]
  },
  "session end": {
    "examples": [
      "cleo session end --note \"T003 is half done, tests are red\""
    ]
  },
  "session list": {
    "examples": [
      "cleo session list --status active"
    ]
  },
  "session resume": {
    "examples": [
      "cleo session resume ses_4f0k2m9x1c7d"
    ]
  },
  "session start": {
    "examples": [
      "cleo session start T001",
      "cleo session start \"accounts, first pass\" --epic T001"
    ]
  },
  "session status": {
    "examples": [
      "cleo session status"
    ]
  },
  "setup": {
    "examples": [
      "cleo setup claude",
      "cleo setup codex --dry-run",
      "cleo setup claude --check",
      "cleo setup claude --check --turn",
      "cleo setup claude --undo"
    ]
  },
  "show": {
    "suggestedFor": [
      "get",
      "view",
      "cat",
      "info",
      "open",
      "read",
      "display",
      "print",
      "details",
      "inspect"
    ],
    "examples": [
      "cleo show T012",
      "cleo show T012 T013"
    ]
  },
  "skills find": {
    "examples": [
      "cleo skills find research"
    ]
  },
  "skills index": {
    "examples": [
      "cleo skills index"
    ]
  },
  "skills list": {
    "suggestedFor": [
      "skill"
    ],
    "examples": [
      "cleo skills list"
    ]
  },
  "skills show": {
    "examples": [
      "cleo skills show ct-task-executor",
      "cleo skills show ct-epic-architect --level L2"
    ]
  },
  "skills validate": {
    "examples": [
      "cleo skills validate",
      "cleo skills validate ./skills/deploy"
    ]
  },
  "spawn": {
    "suggestedFor": [
      "dispatch-agent",
      "delegate",
      "launch",
      "exec"
    ],
    "examples": [
      "cleo spawn T012 --ref",
      "cleo spawn T012 --explain",
      "cleo spawn T012 --prompt",
      "cleo spawn T012 --task-tool"
    ]
  },
  "spawn diff": {
    "examples": [
      "cleo spawn diff T012",
      "cleo spawn diff T012.1 T012.3"
    ]
  },
  "spawn list": {
    "examples": [
      "cleo spawn list T001"
    ]
  },
  "spawn show": {
    "examples": [
      "cleo spawn show T012.1",
      "cleo spawn show T012 --prompt"
    ]
  },
  "start": {
    "examples": [
      "cleo start T001"
    ]
  },
  "status": {
    "suggestedFor": [
      "st",
      "dashboard",
      "ps",
      "top"
    ],
    "examples": [
      "cleo status T001"
    ]
  },
  "tree": {
    "suggestedFor": [
      "children",
      "subtasks",
      "hierarchy"
    ],
    "examples": [
      "cleo tree",
      "cleo tree T001 --all"
    ]
  },
  "trust": {
    "suggestedFor": [
      "allow"
    ],
    "examples": [
      "cleo trust",
      "cleo trust --yes 3f9a0c1d2b4e5f60",
      "cleo trust --yes"
    ]
  },
  "trust status": {
    "examples": [
      "cleo trust status"
    ]
  },
  "unblock": {
    "suggestedFor": [
      "unhold",
      "continue"
    ],
    "examples": [
      "cleo unblock T012",
      "cleo unblock T012 T013"
    ]
  },
  "undo": {
    "suggestedFor": [
      "revert",
      "rollback"
    ],
    "examples": [
      "cleo undo",
      "cleo undo --dry-run"
    ]
  },
  "untrust": {
    "examples": [
      "cleo untrust"
    ]
  },
  "update": {
    "suggestedFor": [
      "set",
      "modify",
      "change",
      "alter",
      "rename --title",
      "retitle --title",
      "describe --description",
      "wait --add-depends",
      "link --add-depends",
      "unlink --remove-depends",
      "undepend --remove-depends",
      "tag --add-labels",
      "label --add-labels",
      "untag --remove-labels",
      "unlabel --remove-labels",
      "prioritize --priority",
      "prioritise --priority",
      "priority --priority",
      "prio --priority",
      "resize --size"
    ],
    "examples": [
      "cleo update T012 --priority high",
      "cleo update T012 --add-depends T009 --remove-labels draft",
      "cleo update T012 T013 T014 -p high"
    ]
  },
  "validate": {
    "examples": [
      "cleo validate T012 --all",
      "cleo validate T001"
    ]
  },
  "verify": {
    "suggestedFor": [
      "prove",
      "test",
      "evidence",
      "gates"
    ],
    "examples": [
      "cleo verify T012",
      "cleo verify T012 --as T012.1"
    ]
  },
  "verify --criterion": {
    "examples": [
      "cleo verify T012 --criterion 2 --evidence \"files:test/form.test.ts\"",
      "cleo verify T012 --criterion 3 --unmet --reason \"there is no mail server\""
    ]
  },
  "verify --gate": {
    "examples": [
      "cleo verify T012 --gate implemented --evidence \"commit:HEAD;files:src/form.ts\"",
      "cleo verify T012 --gate testsPassed --evidence \"tool:test\" --as T012.1"
    ]
  },
  "verify --waive": {
    "examples": [
      "cleo verify T012 --waive --criterion 2 --reason \"the old browser is no longer supported\"",
      "cleo verify T012 --waive --gate implemented --reason \"nothing had to change\""
    ]
  },
  "version": {
    "examples": [
      "cleo version"
    ]
  },
  "warm": {
    "examples": [
      "cleo warm T001"
    ]
  },
  "worktree list": {
    "examples": [
      "cleo worktree list"
    ]
  },
  "worktree prune": {
    "suggestedFor": [
      "clean",
      "cleanup",
      "gc"
    ],
    "examples": [
      "cleo worktree prune --dry-run",
      "cleo worktree prune"
    ]
  },
  "worktree remove": {
    "examples": [
      "cleo worktree remove T012.1",
      "cleo worktree remove T012.1 --discard"
    ]
  }
}
