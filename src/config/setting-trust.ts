import { needsTrust } from '../project/settings.ts'

/** Whether only a person may change this setting: one that needs trust, one of the user's own, or the project's id. */
export const isPersonOnly = (setting: string): boolean => needsTrust(setting) || setting === 'project'
