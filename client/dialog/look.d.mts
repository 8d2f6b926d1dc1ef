import type { Plugin } from 'esbuild';

export const lookInShadow: Plugin;
export const lookInPage: Plugin;
