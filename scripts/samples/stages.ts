import type { Samples } from '../error-page.ts'

export const stages: Samples = {}
