print("tower")
