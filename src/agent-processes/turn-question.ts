export const turnQuestion = 'Let the client make one real turn? It is charged to your account.'
