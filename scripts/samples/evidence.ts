import type { Samples } from '../error-page.ts'

export const evidence: Samples = {}
