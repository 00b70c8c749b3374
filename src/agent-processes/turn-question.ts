/** The question before a turn, because the turn is charged to the person's account. */
export const turnQuestion = 'Let the client make one real turn? It is charged to your account.'
