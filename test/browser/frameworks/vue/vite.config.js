import vue from '@vitejs/plugin-vue';

const isCustomElement = (tag) => tag === 'retention-flow';

export default { plugins: [vue({ template: { compilerOptions: { isCustomElement } } })] };
