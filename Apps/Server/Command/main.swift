print("pinktower")
