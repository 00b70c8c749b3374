/** Asked before a turn that a person pays for. */
export const turnQuestion = 'Let the client make one real turn? It is charged to your account.'
