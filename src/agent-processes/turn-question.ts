/** The question that a person must answer before CLEO starts a real turn. */
export const turnQuestion = 'Let the client make one real turn? It is charged to your account.'
