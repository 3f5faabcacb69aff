import type { Import } from '../api/operations.d.ts'

export type Encoding = NonNullable<Import['encoding']>

/** The encodings by which the service reads a file, as programs name them. */
export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252, ISO-8859-1 (Western Europe)',
  'iso-8859-15': 'ISO-8859-15 (Western Europe, with €)',
  macintosh: 'Macintosh (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'iso-8859-2': 'ISO-8859-2 (Central Europe)',
  'iso-8859-16': 'ISO-8859-16 (South-Eastern Europe)',
  'iso-8859-3': 'ISO-8859-3 (Maltese, Esperanto)',
  'windows-1257': 'Windows-1257 (Baltic)',
  'iso-8859-13': 'ISO-8859-13 (Baltic)',
  'iso-8859-4': 'ISO-8859-4 (Baltic)',
  'iso-8859-10': 'ISO-8859-10 (Nordic)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'koi8-r': 'KOI8-R (Russian)',
  'koi8-u': 'KOI8-U (Ukrainian)',
  'iso-8859-5': 'ISO-8859-5 (Cyrillic)',
  ibm866: 'DOS 866 (Cyrillic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'iso-8859-7': 'ISO-8859-7 (Greek)',
  'windows-1254': 'Windows-1254, ISO-8859-9 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  'windows-1258': 'Windows-1258 (Vietnamese)',
  'windows-874': 'Windows-874 (Thai)',
  shift_jis: 'Shift_JIS (Japanese)',
  'euc-jp': 'EUC-JP (Japanese)',
  'iso-2022-jp': 'ISO-2022-JP (Japanese)',
  gb18030: 'GB18030, GBK (Chinese, simplified)',
  big5: 'Big5 (Chinese, traditional)',
  'euc-kr': 'EUC-KR (Korean)',
}

/** The name alone, without the languages. */
export function encodingName(encoding: Encoding): string {
  return ENCODING_NAMES[encoding].replace(/[,(].*$/, '').trim()
}
