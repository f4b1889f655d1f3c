import { writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

export function writeCompressed(file: URL, text: string) {
  writeFileSync(file, text)
  writeFileSync(new URL(`${file}.gz`), gzipSync(text, { level: 9 }))
  // The best quality takes seconds for a few percent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 }
  writeFileSync(new URL(`${file}.br`), brotliCompressSync(text, { params }))
}
