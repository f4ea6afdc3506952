import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // One small script and one sheet, and another pair for the lab: nothing to
    // preload, the same names in every build, and no inlined data that a strict
    // policy would refuse.
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'assets/[name]-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  server: {
    proxy: { '/api': { target: process.env['PAPAN_URL'] ?? 'http://127.0.0.1:4173', ws: true } },
  },
  test: { include: ['src/**/*.test.ts'] },
});
