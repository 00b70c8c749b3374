const maxSlugLength = 48

/** `Sign-up form` becomes `sign-up-form`. */
export const slugOf = (title: string): string => {
  let slug = ''
  for (const char of title.normalize('NFKD').toLowerCase()) {
    if ((char >= 'a' && char <= 'z') || (char >= '0' && char <= '9')) slug += char
    else if (slug !== '' && !slug.endsWith('-') && !isMark(char)) slug += '-'
    if (slug.length === maxSlugLength) break
  }
  return (slug.endsWith('-') ? slug.slice(0, -1) : slug) || 'task'
}

/** Whether a character is an accent that NFKD separated from its letter. */
const isMark = (char: string): boolean => char >= '\u0300' && char <= '\u036f'
