import { customType } from 'drizzle-orm/sqlite-core'

/** A column of bytes. The drivers answer it as an ArrayBuffer or as a Uint8Array. */
export const bytes = customType<{ data: Uint8Array; driverData: ArrayBuffer | Uint8Array }>({
  dataType: () => 'blob',
  fromDriver: (value) => new Uint8Array(value),
})
