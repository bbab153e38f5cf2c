import { build } from 'esbuild';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
import { bundling } from './scripts/bundling.mjs';
const root='/work/wt-speed';
const start=['src/commands/index.ts','src/commands/serve.ts'].map(f=>path.join(root,f));
const lazily=new Set();
const plugin={name:'start-together',setup(b){
 b.onResolve({filter:/^\.\.?\/.*\.ts$/},a=>{ if(a.kind!=='dynamic-import')return; const p=path.resolve(a.resolveDir,a.path); if(start.includes(p))return; return {path:p, namespace:'file', pluginData:{lazy:true}}});
 b.onLoad({filter:/\.ts$/},async a=>{ if(!a.pluginData?.lazy)return; const text=await readFile(a.path,'utf8'); return {contents:text+start.map(f=>`\nimport ${JSON.stringify(f)};`).join(''),loader:'ts',resolveDir:path.dirname(a.path)}});
}};
const r=await build({...bundling,absWorkingDir:root,entryPoints:{cli:'src/cli.ts',sandbox:'src/sandbox/main.ts'},outdir:'/work/tmp-speed/exp2',chunkNames:'[name]-[hash]',minify:true,metafile:true,
 plugins:[plugin,...bundling.plugins,{name:'x',setup(b){b.onResolve({filter:/^oidc-provider$/},()=>({path:'./oidc-provider.js',external:true}));b.onResolve({filter:/\/validation\/ajv-provider\.js$/},({importer})=>/[\\/]server[\\/]index\.js$/.test(importer)?{path:path.join(root,'src/mcp/no-form-validation.ts')}:undefined)}}]});
const o=r.metafile.outputs;
const s0=Object.entries(o).filter(([k,v])=>v.entryPoint&&['src/cli.ts','src/commands/index.ts','src/commands/serve.ts'].includes(v.entryPoint)).map(([k])=>k);
const seen=new Set();const visit=k=>{if(seen.has(k)||!o[k])return;seen.add(k);o[k].imports.filter(i=>i.kind==='import-statement').forEach(i=>visit(i.path))};
s0.forEach(visit);
for(const k of seen)console.log(path.basename(k),o[k].bytes,o[k].entryPoint||'',Object.keys(o[k].inputs).join(' ').slice(0,600));
console.log(Object.keys(o).length,'files in all');
