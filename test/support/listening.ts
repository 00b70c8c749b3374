import type { Db, Param, Store } from '../../src/store/port.ts'

export interface Statement {
  sql: string
  params: Param[]
}

/** Wraps a store, so that every statement it runs is added to `asked`. */
export const listening = (store: Store, asked: Statement[]): Store => {
  const over = <D extends Db>(db: D): D => ({
    ...db,
    get: (sql: string, ...params: Param[]) => {
      asked.push({ sql, params })
      return db.get(sql, ...params)
    },
    all: (sql: string, ...params: Param[]) => {
      asked.push({ sql, params })
      return db.all(sql, ...params)
    },
    run: (sql: string, ...params: Param[]) => {
      asked.push({ sql, params })
      return db.run(sql, ...params)
    },
  })
  return {
    ...over(store),
    tx: (work) => store.tx((db) => work(over(db))),
    snapshot: (work) => store.snapshot((snapshot) => work(over(snapshot))),
  }
}
