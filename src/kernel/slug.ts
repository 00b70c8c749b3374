const most = 48

/** A title as part of a file name: `Sign-up form` is `sign-up-form`. */
export const slugOf = (title: string): string => {
  let slug = ''
  for (const char of title.normalize('NFKD').toLowerCase()) {
    if ((char >= 'a' && char <= 'z') || (char >= '0' && char <= '9')) slug += char
    else if (slug !== '' && !slug.endsWith('-') && !isMark(char)) slug += '-'
    if (slug.length === most) break
  }
  return (slug.endsWith('-') ? slug.slice(0, -1) : slug) || 'task'
}

/** An accent that normalising has parted from its letter. */
const isMark = (char: string): boolean => char >= '\u0300' && char <= '\u036f'
