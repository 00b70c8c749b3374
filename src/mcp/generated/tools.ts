// Made by `npm run generate`. Do not edit.
import type { NamedTool } from '../tool.ts'

/** The MCP tools of single operations. */
export const namedTools: readonly NamedTool[] = [
  {
    "operation": "tasks.find",
    "name": "find",
    "description": "Find tasks by the words in title and description.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "query": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "query"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "orchestrate.next",
    "name": "next",
    "description": "Show the task to start next, and why.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "epic": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "orchestrate.ready",
    "name": "ready",
    "description": "List tasks that can all start now, in parallel.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "epic": {
          "type": "string"
        },
        "limit": {
          "type": "integer"
        },
        "as": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "tasks.show",
    "name": "show",
    "description": "Show a task with all its fields.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "orchestrate.status",
    "name": "status",
    "description": "Show the state of the project, or of one epic, on one screen.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "epic": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "verify.view",
    "name": "verify",
    "description": "Show the evidence and missing requirements of a task, and the next commands.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": true,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "tasks.add",
    "name": "add",
    "description": "Add a task, or many at once.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "title": {
          "type": "string"
        },
        "parent": {
          "type": "string"
        },
        "depends": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "description": {
          "type": "string"
        },
        "type": {
          "type": "string",
          "enum": [
            "epic",
            "task",
            "subtask"
          ]
        },
        "files": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "acceptance": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "priority": {
          "type": "string",
          "enum": [
            "critical",
            "high",
            "medium",
            "low"
          ]
        },
        "size": {
          "type": "string",
          "enum": [
            "small",
            "medium",
            "large"
          ]
        },
        "batch": {
          "type": "array",
          "items": {
            "type": "object"
          },
          "description": "add all rows of standard input (JSON array or JSONL), or none if one is invalid; parent and depends can name the `key` of another row"
        },
        "as": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "tasks.complete",
    "name": "complete",
    "description": "Mark a task done if its requirements are met, and list the tasks it unblocks.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "tasks.finish",
    "name": "finish",
    "description": "Submit a task's result, check its evidence and mark the task done.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "finding": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "a finding, one sentence: what the next agent needs to know"
        },
        "criterion": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "evidence for a criterion, such as 1=files:test/a.test.ts"
        },
        "status": {
          "type": "string",
          "enum": [
            "complete",
            "partial",
            "blocked"
          ]
        },
        "open": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "what is left to do: a task id or text; partial work needs at least one"
        },
        "category": {
          "type": "string",
          "enum": [
            "missing context",
            "permission denied",
            "resource unavailable",
            "ambiguous requirements"
          ],
          "description": "what kind of problem blocks you"
        },
        "why": {
          "type": "string",
          "description": "why you are blocked"
        },
        "noTests": {
          "type": "string",
          "description": "why the work needs no new tests"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "operation": "focus.set",
    "name": "focus_set",
    "description": "Claim a task and start on it.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "pipeline.manifest.append",
    "name": "manifest_append",
    "description": "Submit a task's result: one manifest entry and its output file.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "task": {
          "type": "string",
          "description": "the task; default: the task of your spawn"
        },
        "status": {
          "type": "string",
          "enum": [
            "complete",
            "partial",
            "blocked"
          ]
        },
        "finding": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "a finding, one sentence"
        },
        "followup": {
          "type": "array",
          "items": {
            "type": "string"
          },
          "description": "what is left to do: a task id or text; a partial entry needs at least one"
        },
        "as": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "tasks.note",
    "name": "note",
    "description": "Write a note on a task.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "text": {
          "type": "string"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id",
        "text"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "orchestrate.receive",
    "name": "receive",
    "description": "Check what a subagent submitted, then complete or block its task.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "message": {
          "type": "string",
          "description": "the subagent's reply; `-` reads it from standard input"
        },
        "all": {
          "type": "boolean",
          "description": "receive every spawn that has submitted its work, dependencies first"
        },
        "as": {
          "type": "string"
        }
      }
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "operation": "orchestrate.spawn",
    "name": "spawn",
    "description": "Build and record the prompt for a subagent.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "ref": {
          "type": "boolean",
          "description": "store the prompt and print only its path"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  },
  {
    "operation": "tasks.update",
    "name": "update",
    "description": "Edit a task's fields. For status use complete, block or cancel.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "title": {
          "type": "string"
        },
        "description": {
          "type": "string"
        },
        "addDepends": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "removeDepends": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "files": {
          "type": "array",
          "items": {
            "type": "string"
          }
        },
        "priority": {
          "type": "string",
          "enum": [
            "critical",
            "high",
            "medium",
            "low"
          ]
        },
        "size": {
          "type": "string",
          "enum": [
            "small",
            "medium",
            "large"
          ]
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": false
    }
  },
  {
    "operation": "verify.gate",
    "name": "verify_gate",
    "description": "Prove that a task passes a gate; CLEO checks the evidence.",
    "inputSchema": {
      "type": "object",
      "properties": {
        "id": {
          "type": "string"
        },
        "gate": {
          "type": "string",
          "description": "one of implemented, testsPassed, qaPassed, cleanupDone, securityPassed, documented"
        },
        "evidence": {
          "type": "string",
          "description": "one or more of these, with semicolons between them: commit:<sha>; files:a,b; tool:test|lint|build|typecheck|audit; test-run:<report>; url:<https…>; note:<text>"
        },
        "as": {
          "type": "string"
        }
      },
      "required": [
        "id",
        "gate",
        "evidence"
      ]
    },
    "annotations": {
      "readOnlyHint": false,
      "destructiveHint": false,
      "openWorldHint": true
    }
  }
]
