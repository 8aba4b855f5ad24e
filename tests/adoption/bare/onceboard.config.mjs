export default { modules: [] };
